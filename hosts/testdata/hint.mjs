// node hint.mjs PLUGIN: calls each hook of the plugin once as OpenCode would, and
// prints what it did as JSON.
import { pathToFileURL } from "node:url"

const plugin = await import(pathToFileURL(process.argv[2]))
const logged = []
const client = { app: { log: async ({ body }) => void logged.push(body.message) } }
const hooks = await plugin.GeminiSearchHint({ client })
const system = ["You are an agent."]
await hooks["experimental.chat.system.transform"]({}, { system })
const definitions = {}
for (const toolID of ["gemini_web_search", "bash"]) {
  definitions[toolID] = { description: "d" }
  await hooks["tool.definition"]({ toolID }, definitions[toolID])
}
for (const text of JSON.parse(process.argv[3])) {
  await hooks["chat.message"]({}, { parts: [{ type: "text", text }, { type: "file" }] })
}
console.log(JSON.stringify({ system, definitions, logged }))
