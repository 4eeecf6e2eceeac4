from django.contrib import admin
from django.urls import path

from collection import views

urlpatterns = [
    path("admin/", admin.site.urls),
    path("search/", views.search),
    path("loans/overdue/", views.overdue),
    path("rooms/<str:room>/", views.room),
]
