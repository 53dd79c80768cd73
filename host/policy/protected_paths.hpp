// Files in a workspace that other programs run or trust on their own. A tool that may write the
// workspace may not write these, unless the profile's `unprotect` names them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace toolhost::policy {

// docs/security.md lists the same rows; a test compares them.
struct ProtectedPath {
    std::string_view path;  // a file or a folder with all in it, from a folder that may be written
    std::string_view read_by;
};

// clang-format off
inline constexpr std::array kProtectedPaths = {
    // git
    ProtectedPath{".git/config", "git"},
    ProtectedPath{".git/config.worktree", "git"},
    ProtectedPath{".git/commondir", "git"},
    ProtectedPath{".git/hooks", "git"},
    ProtectedPath{".git/modules", "git, for submodules"},
    ProtectedPath{".gitconfig", "git"},
    ProtectedPath{".config/git", "git"},
    ProtectedPath{".husky", "git, through husky"},
    // shells and sessions
    ProtectedPath{".bashrc", "bash"},
    ProtectedPath{".bash_profile", "bash"},
    ProtectedPath{".bash_login", "bash"},
    ProtectedPath{".bash_logout", "bash"},
    ProtectedPath{".bash_aliases", "bash"},
    ProtectedPath{".bash_completion", "bash"},
    ProtectedPath{".local/share/bash-completion", "bash"},
    ProtectedPath{".profile", "login shells"},
    ProtectedPath{".zshrc", "zsh"},
    ProtectedPath{".zshenv", "zsh"},
    ProtectedPath{".zprofile", "zsh"},
    ProtectedPath{".zlogin", "zsh"},
    ProtectedPath{".zlogout", "zsh"},
    ProtectedPath{".kshrc", "ksh"},
    ProtectedPath{".cshrc", "csh"},
    ProtectedPath{".tcshrc", "tcsh"},
    ProtectedPath{".login", "csh"},
    ProtectedPath{".config/fish", "fish"},
    ProtectedPath{".inputrc", "readline"},
    ProtectedPath{".envrc", "direnv"},
    ProtectedPath{".direnvrc", "direnv"},
    ProtectedPath{".config/direnv", "direnv"},
    ProtectedPath{".pam_environment", "login"},
    ProtectedPath{".xprofile", "the desktop session"},
    ProtectedPath{".xinitrc", "the desktop session"},
    ProtectedPath{".xsession", "the desktop session"},
    ProtectedPath{".xsessionrc", "the desktop session"},
    ProtectedPath{".config/autostart", "the desktop session"},
    ProtectedPath{".config/systemd", "systemd"},
    ProtectedPath{".config/environment.d", "systemd"},
    ProtectedPath{".local/share/systemd", "systemd"},
    ProtectedPath{".local/bin", "PATH"},
    ProtectedPath{".local/lib", "Python, at every start"},
    ProtectedPath{".tmux.conf", "tmux"},
    ProtectedPath{".screenrc", "screen"},
    // editors and debuggers
    ProtectedPath{".vscode", "Visual Studio Code"},
    ProtectedPath{".devcontainer", "Visual Studio Code"},
    ProtectedPath{".idea", "JetBrains editors"},
    ProtectedPath{".zed", "Zed"},
    ProtectedPath{".vim", "vim"},
    ProtectedPath{".vimrc", "vim"},
    ProtectedPath{".exrc", "vi"},
    ProtectedPath{".nvimrc", "neovim"},
    ProtectedPath{".nvim.lua", "neovim"},
    ProtectedPath{".config/nvim", "neovim"},
    ProtectedPath{".emacs", "emacs"},
    ProtectedPath{".emacs.d", "emacs"},
    ProtectedPath{".dir-locals.el", "emacs"},
    ProtectedPath{".gdbinit", "gdb"},
    ProtectedPath{".lldbinit", "lldb"},
    // agents
    ProtectedPath{".mcp.json", "MCP clients"},
    ProtectedPath{".claude", "Claude Code"},
    ProtectedPath{".claude.json", "Claude Code"},
    ProtectedPath{".cursor", "Cursor"},
    ProtectedPath{".codex", "Codex"},
    ProtectedPath{".gemini", "Gemini CLI"},
    ProtectedPath{".windsurf", "Windsurf"},
    ProtectedPath{".continue", "Continue"},
    ProtectedPath{".aider.conf.yml", "aider"},
    // keys, accounts and where packages come from
    ProtectedPath{".ssh", "ssh"},
    ProtectedPath{".gnupg", "gpg"},
    ProtectedPath{".netrc", "curl, git"},
    ProtectedPath{".npmrc", "npm"},
    ProtectedPath{".yarnrc", "yarn"},
    ProtectedPath{".yarnrc.yml", "yarn"},
    ProtectedPath{".pypirc", "twine"},
    ProtectedPath{".config/pip", "pip"},
    ProtectedPath{".condarc", "conda"},
    ProtectedPath{".cargo", "cargo"},
    ProtectedPath{".gem/credentials", "gem"},
    ProtectedPath{".m2/settings.xml", "maven"},
    ProtectedPath{".gradle/init.d", "gradle"},
    ProtectedPath{".gradle/gradle.properties", "gradle"},
    ProtectedPath{".docker/config.json", "docker"},
    ProtectedPath{".kube/config", "kubectl"},
    ProtectedPath{".aws", "AWS clients"},
    ProtectedPath{".config/gcloud", "gcloud"},
};
// clang-format on

// Those that `unprotect` does not name, in the table's order.
[[nodiscard]] std::vector<std::string> protected_paths(const std::vector<std::string>& unprotect);

// What is wrong with an entry of `unprotect`, as a whole sentence; empty: nothing.
[[nodiscard]] std::string wrong_unprotect(std::string_view path);

}  // namespace toolhost::policy
