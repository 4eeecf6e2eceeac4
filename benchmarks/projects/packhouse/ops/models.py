from django.db import models


class BgwriterSample(models.Model):
    taken_at = models.DateTimeField()
    checkpoints_timed = models.BigIntegerField()
    buffers_alloc = models.BigIntegerField()


class IntegrationAccount(models.Model):
    partner = models.CharField(max_length=60)
    system_user = models.BooleanField(default=False)


class HostSetting(models.Model):
    name = models.TextField(primary_key=True)
    value = models.TextField(null=True)
    explained = models.TextField(null=True)
