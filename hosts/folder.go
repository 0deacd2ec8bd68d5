package hosts

import "embed"

// folders are what hosts load as a plugin, an extension or a skill. A folder whose
// name begins with a dot is embedded only when it is named.
//
//go:embed opencode claude/.claude-plugin claude/.mcp.json claude/commands claude/skills gemini skill
var folders embed.FS
