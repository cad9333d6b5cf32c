"""Addresses of the whole site."""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from mafia_site.hall import phones
from protocols.forms.login import AdminLoginForm, LoginForm
from protocols.views import install

admin.site.login_form = AdminLoginForm

urlpatterns = [
    path("login/", LoginView.as_view(redirect_authenticated_user=True, authentication_form=LoginForm), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("sw.js", install.service_worker, name="service-worker"),
    path("manifest.webmanifest", install.manifest, name="manifest"),
    path("admin/", admin.site.urls),
    path("hall/", phones.page, name="hall"),
    path("hall/mafia-ca.crt", phones.certificate, name="hall-certificate"),
    path("", include("protocols.urls")),
    path("", include("scoring.urls")),
]
