from django.contrib import admin
from django.urls import path

from pallets import views

urlpatterns = [
    path("admin/", admin.site.urls),
    path("pallets/<int:pk>/label", views.label),
]
