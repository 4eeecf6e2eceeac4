from django.db import connection


class AuditContextMiddleware:
    """Tells the audit triggers of the reporting database who is at work."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        user = getattr(request, "user", None)
        if user is not None and user.is_authenticated:
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('vetchain.clinic_id', %s, false)", [str(user.clinic_id)])
                cursor.execute("SELECT set_config('vet-app.user_id', %s, false)", [str(user.pk)])
        return self.get_response(request)
