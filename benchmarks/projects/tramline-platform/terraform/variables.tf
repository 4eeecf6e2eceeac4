variable "environment" {
  type    = string
  default = "prod"
}

variable "postgres_family" {
  type = string
}

variable "extra_flags" {
  type        = map(string)
  default     = {}
  description = "further flags for one environment, for instance force_parallel_mode when a plan is debugged"
}

variable "instance_class" {
  type    = string
  default = "db.r6g.xlarge"
}
