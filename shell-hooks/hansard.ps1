# @shells pwsh powershell
# @args ["-NoExit", "-Command", ". ([ScriptBlock]::Create([IO.File]::ReadAllText($env:HANSARD_HOOK)))"]
# @login-args ["-Login", "-NoExit", "-Command", ". ([ScriptBlock]::Create([IO.File]::ReadAllText($env:HANSARD_HOOK)))"]
# @env {"HANSARD_NONCE_FILE": "{nonceFile}", "HANSARD_HOOK": "{hook}"}
# @quality rich
#
# Runs after the person's profile. The file is read as text, since an execution policy would refuse to run it. `prompt` is wrapped,
# and so is PSConsoleHostReadLine, which PSReadLine installs: what it returns is the text exactly as it will be run.

$Global:__hansard = @{
    Nonce = $null
    Seq = 0
    Running = $false
    Prompt = $function:prompt
    ReadLine = $function:PSConsoleHostReadLine
    LastError = $null
    Version = $PSVersionTable.PSVersion.ToString()
}
# The file is emptied once it is read: what the nonce was stands nowhere but in this shell's memory.
if ($env:HANSARD_NONCE_FILE -and [IO.File]::Exists($env:HANSARD_NONCE_FILE)) {
    $Global:__hansard.Nonce = [IO.File]::ReadAllText($env:HANSARD_NONCE_FILE).Trim()
    [IO.File]::WriteAllText($env:HANSARD_NONCE_FILE, '')
}
Remove-Item -ErrorAction Ignore Env:HANSARD_NONCE_FILE, Env:HANSARD_HOOK

$Global:__hansard.Encode = {
    param([string]$Text)
    [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($Text))
}

$Global:__hansard.Mark = {
    param([string]$Name, [string]$Fields)
    [Console]::Write("$([char]27)]7717;$($Global:__hansard.Nonce);$Name;$Fields$([char]7)")
}

$Global:__hansard.Now = { [DateTimeOffset]::UtcNow.ToUnixTimeMilliseconds() }

if ($Global:__hansard.Nonce) {
    function Global:prompt {
        $ok = $?
        $code = $Global:LASTEXITCODE
        $state = $Global:__hansard
        if ($state.Running) {
            $state.Running = $false
            # $LASTEXITCODE is that of the last program, however long ago; a cmdlet that failed left a new error instead.
            $failedHere = $Global:Error.Count -gt 0 -and -not [object]::ReferenceEquals($Global:Error[0], $state.LastError)
            $exit = if ($ok) { 0 } elseif ($failedHere -or -not $code) { 1 } else { $code }
            & $state.Mark 'BLOCK_END' "seq=$($state.Seq);exit=$exit;ts=$(& $state.Now)"
        }
        # The person's prompt sees the $? it would have seen.
        if (-not $ok) { Write-Error '' -ErrorAction Ignore }
        $text = & $state.Prompt
        $Global:LASTEXITCODE = $code
        & $state.Mark 'PROMPT' "cwd_b64=$(& $state.Encode $PWD.ProviderPath);shell=pwsh;version=$($state.Version)$($state.Degraded)"
        "$([char]27)]133;P;k=i$([char]7)$text$([char]27)]133;B$([char]7)"
    }

    if ($Global:__hansard.ReadLine) {
        function Global:PSConsoleHostReadLine {
            $state = $Global:__hansard
            $line = & $state.ReadLine
            if (-not [string]::IsNullOrWhiteSpace($line)) {
                $state.Seq++
                $state.Running = $true
                $state.LastError = if ($Global:Error.Count -gt 0) { $Global:Error[0] } else { $null }
                $fields = "seq=$($state.Seq);cwd_b64=$(& $state.Encode $PWD.ProviderPath);ts=$(& $state.Now)"
                # 64 KiB is the longest marker that is read.
                $text = & $state.Encode $line
                if ($text.Length -le 54000) { $fields += ";cmd_b64=$text" }
                & $state.Mark 'BLOCK_BEGIN' $fields
            }
            $line
        }
    }
    else {
        $Global:__hansard.Degraded = ";degraded=$(& $Global:__hansard.Encode 'PSReadLine is not loaded')"
    }
}
