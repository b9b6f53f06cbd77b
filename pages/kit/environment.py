"""Streamlit's settings from environment variables, for servers that were not started by ``streamlit run``.

``streamlit run`` reads the variables ``STREAMLIT_*``; a server started by uvicorn itself would only read the configuration file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from click import BadParameter
from click.types import convert_type
from streamlit import config

from core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from streamlit.config_option import ConfigOption

_BY_COMMAND: Final = "command-line"
_HERE: Final = "environment variable"


def apply_environment(environment: Mapping[str, str] | None = None) -> list[str]:
    """Put the variables ``STREAMLIT_*`` in force that nothing of higher rank has set, and return the names of their options.

    Parameters
    ----------
    environment
        The variables; by default those of this process.

    Raises
    ------
    UsageError
        If a variable's value is not of its option's kind.
    """
    given = os.environ if environment is None else environment
    applied = []
    for name, option in config.get_config_options().items():
        text = given.get(option.env_var)
        if text is None or _BY_COMMAND in config.get_where_defined(name):
            continue
        config.set_option(name, _value(option, text), _HERE)
        applied.append(name)
    return applied


def _value(option: ConfigOption, text: str) -> Any:
    kind = convert_type(option.type)
    try:
        if option.multiple:
            return [kind.convert(part, None, None) for part in text.split()]
        return kind.convert(text, None, None)
    except BadParameter as fault:
        raise UsageError(f"The environment variable {option.env_var} is wrong: {fault.message}") from fault
