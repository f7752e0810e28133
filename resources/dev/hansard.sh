#!/bin/sh
# /usr/bin/hansard of the Debian package.
exec /opt/Hansard/resources/bridge/resources/bin/hansard "$@"
