"""Rows that are written once: nothing of ours changes or deletes them, one by one or many at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn, TypeVar

from django.db import models


class WrittenOnceError(TypeError):
    """Something tried to change or delete a row that is written once."""


Row = TypeVar("Row", bound=models.Model)


class WrittenOnceQuerySet(models.QuerySet[Row]):
    """Rows that can be read and added; the columns that the model's `changeable` names may change."""

    def update(self, **kwargs: Any) -> int:
        """Changes only columns that may change; raises WrittenOnceError for any other."""
        refuse_change(self.model, kwargs)
        return super().update(**kwargs)

    def bulk_update(self, objs: Iterable[Row], fields: Iterable[str], batch_size: int | None = None) -> NoReturn:
        """Raises WrittenOnceError."""
        raise WrittenOnceError(f"{self.model.__name__} rows are never changed")

    def delete(self) -> NoReturn:
        """Raises WrittenOnceError."""
        raise WrittenOnceError(f"{self.model.__name__} rows are never deleted")


class WrittenOnceManager(models.Manager[Row]):
    """Reads and adds rows; changes none."""

    def get_queryset(self) -> WrittenOnceQuerySet[Row]:
        """All rows."""
        return WrittenOnceQuerySet(self.model, using=self._db)


class WrittenOnce(models.Model):
    """A row that is written once."""

    changeable: ClassVar[frozenset[str]] = frozenset()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Adds the row; raises WrittenOnceError for one that is there already."""
        if not self._state.adding:
            refuse_change(type(self), kwargs.get("update_fields") or ["everything"])
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raises WrittenOnceError."""
        raise WrittenOnceError(f"{type(self).__name__} rows are never deleted")


def refuse_change(model: type[models.Model], columns: Iterable[str]) -> None:
    """Raises WrittenOnceError for a column of that model that never changes."""
    allowed: frozenset[str] = getattr(model, "changeable", frozenset())
    fixed = sorted(set(columns) - allowed)
    if fixed:
        raise WrittenOnceError(f"{model.__name__} is never changed: {', '.join(fixed)}")
