terraform {
  required_version = ">= 1.5"
  required_providers {
    aws    = { source = "hashicorp/aws", version = "~> 5.40" }
    google = { source = "hashicorp/google", version = "~> 5.20" }
  }
  backend "s3" {
    bucket = "tramline-tfstate"
    key    = "platform/databases.tfstate"
    region = "eu-west-1"
  }
}
