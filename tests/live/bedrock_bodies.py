"""Checks bodies of requests to Bedrock, one a line, with the model of the API in Amazon's own client, which knows every key."""

import json
import sys

import botocore.session
from botocore.validate import ParamValidator

client = botocore.session.get_session().create_client(
    "bedrock-runtime", region_name="us-east-1", aws_access_key_id="unused", aws_secret_access_key="unused"
)
shape = client.meta.service_model.operation_model("Converse").input_shape

for line in sys.stdin:
    if line.strip():
        report = ParamValidator().validate({"modelId": "unused", **json.loads(line)}, shape)
        if report.has_errors():
            sys.exit(f"{report.generate_report()}: {line}")
