@echo off
rem The command line of a desktop package: its own Node where it has one, else the Node on the PATH.
setlocal
set "root=%~dp0..\.."
set "node=%root%\node\bin\node.exe"
if not exist "%node%" set "node=node"
"%node%" "%root%\resources\bin\hansard.mjs" %*
