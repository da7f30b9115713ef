"""The form of a request, by botocore's own model of the API: asked only once a request failed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from botocore.loaders import Loader
from botocore.model import OperationNotFoundError, ServiceModel
from botocore.validate import ParamValidator


def malformation(operation: str, request: Mapping[str, Any]) -> str | None:
    """What is wrong with the form of a request, in one line; None where its form is right.

    boto3 looks itself before it sends; other clients of `dynalab serve` may not.
    """
    for service in ("dynamodb", "dynamodbstreams"):
        try:
            shape = _model(service).operation_model(operation).input_shape
        except OperationNotFoundError:
            continue
        if shape is None:  # an operation that takes nothing
            return None
        report = ParamValidator().validate(dict(request), shape)
        return "; ".join(report.generate_report().split("\n")) if report.has_errors() else None
    return None


@cache
def _model(service: str) -> ServiceModel:
    return ServiceModel(Loader().load_service_model(service, "service-2"))
