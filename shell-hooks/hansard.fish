# @shells fish
# @args ["--init-command", "source (string unescape --style=url -- $HANSARD_HOOK | string collect)"]
# @login-args ["--login", "--init-command", "source (string unescape --style=url -- $HANSARD_HOOK | string collect)"]
# @env {"HANSARD_NONCE_FILE": "{nonceFile.url}", "HANSARD_HOOK": "{hook.url}"}
# @source set -g HANSARD_NONCE_FILE {nonceFile.url}; set -g HANSARD_HOOK; source (string unescape --style=url -- {hook.url} | string collect)
# @quality rich
#
# fish runs this after the person's configuration, by events only: fish_prompt is not wrapped, since `funcsave fish_prompt` would
# write the wrapper into the person's files. So nothing marks the end of the prompt; command texts do not need it, fish gives
# them as they were typed. Times are left to the reader of the markers: fish has no clock without a process.

# Paths come as in URLs: fish reads its environment before it sets a UTF-8 locale, and garbles other letters under LC_ALL=C.
# The file is emptied once it is read: what the nonce was stands nowhere but in this shell's memory.
set -g __hansard_nonce
set -g __hansard_file (string unescape --style=url -- $HANSARD_NONCE_FILE | string collect)
if test -r "$__hansard_file"
    read -g __hansard_nonce <$__hansard_file
    printf '' >$__hansard_file
end
set -e __hansard_file
set -g __hansard_seq 0
set -g __hansard_running 0
set -g __hansard_names_told
set -g __hansard_names_n 0
set -g __hansard_cwd
set -g __hansard_cwd_b64
set -e HANSARD_NONCE_FILE
set -e HANSARD_HOOK

# base64(1) takes 1 to 2 ms; fish itself has none, and a loop in it is slower.
function __hansard_base64
    printf %s $argv[1] | command base64 | string join ''
end

# The folder's base64, made anew only when the folder changed.
function __hansard_folder
    if test "$__hansard_cwd" != "$PWD"; or test -z "$__hansard_cwd_b64"
        set -g __hansard_cwd $PWD
        set -g __hansard_cwd_b64 (__hansard_base64 $PWD)
    end
end

function __hansard_print
    printf '\e]7717;%s;%s;%s\a' $__hansard_nonce $argv[1] $argv[2] >/dev/tty
end

# A line with a leading space is never in fish's history. lead: fish sets modes and the title after this event and before the command.
function __hansard_begin --on-event fish_preexec
    # Blanks alone are run by fish, and are no command to a person.
    string match -qr '\S' -- $argv[1]; or return
    set -g __hansard_seq (math $__hansard_seq + 1)
    set -g __hansard_running 1
    __hansard_folder
    set -l fields "seq=$__hansard_seq;cwd_b64=$__hansard_cwd_b64;nohist=1;lead=1"
    set -l text (__hansard_base64 $argv[1])
    # 64 KiB is the longest marker that is read.
    if test -n "$text"; and test (string length -- $text) -le 54000
        set fields "$fields;cmd_b64=$text"
    end
    __hansard_print BLOCK_BEGIN $fields
end

function __hansard_end --on-event fish_postexec
    set -l code $status
    if test $__hansard_running = 1
        set -g __hansard_running 0
        __hansard_print BLOCK_END "seq=$__hansard_seq;exit=$code"
    end
end

# Where this shell looks for commands and which it has besides, by name alone; nothing where that is not sure: an abbreviation by
# an expression may be any word. There is no report if one of them has more than printable ASCII.
function __hansard_tell_names
    set -g __hansard_names_now
    set -l known (string match -v '_*' -- (functions -a -n)) (builtin -n) (abbr --list 2>/dev/null)
    # The person's own function may run what is no command. To ask fish where it is from would load it.
    for folder in $fish_function_path
        test -e $folder/fish_command_not_found.fish; or continue
        test $folder = $__fish_data_dir/functions; or set -a known command_not_found_handle
        break
    end
    set -l names "path="(string join : -- $PATH)";known="(string join , -- $known)
    if abbr --show 2>/dev/null | string match -q -- '*--regex*'
        or string match -qr '[^ -~]|;.*;' -- $names
        or test (string length -- $names) -gt 30000
        set names
    end
    test "$names" != "$__hansard_names_told"; or return
    set -g __hansard_names_told $names
    set -g __hansard_names_n (math $__hansard_names_n + 1)
    set -g __hansard_names_now $names
end

# A line that Ctrl-C discards gets no fish_prompt, and since fish 4.0 no new prompt either.
function __hansard_prompt --on-event fish_prompt --on-event fish_cancel
    __hansard_folder
    __hansard_tell_names
    set -l fields "cwd_b64=$__hansard_cwd_b64;shell=fish;version=$version"
    if test -n "$__hansard_names_told"
        set fields "$fields;names=$fish_pid.$__hansard_names_n"
        test -z "$__hansard_names_now"; or set fields "$fields;$__hansard_names_now"
    end
    __hansard_print PROMPT $fields
    printf '\e]133;P;k=i\a' >/dev/tty
end

if test -z "$__hansard_nonce"; or not status is-interactive
    functions -e __hansard_begin __hansard_end __hansard_prompt
end
