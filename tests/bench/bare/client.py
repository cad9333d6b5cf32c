"""Taps of the bare view in this process: prints the seconds of processor of each."""

import json
import time
from uuid import uuid4

import django


def main() -> None:
    """A hundred taps after twenty to warm up."""
    django.setup()
    from django.test import Client
    from django.test.utils import setup_test_environment

    from .models import Table

    setup_test_environment()
    client, table, spent = Client(), Table.objects.create(), []
    for revision in range(120):
        started = time.process_time()
        answer = client.post(f"/tables/{table.pk}/marks/", {"seat": 5, "revision": revision, "uuid": str(uuid4())})
        spent.append(time.process_time() - started)
        assert answer.status_code == 200
    print(json.dumps(spent[20:]))


if __name__ == "__main__":
    main()
