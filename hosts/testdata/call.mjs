// node call.mjs TOOL ARGUMENTS [FILE]: calls the tool once as OpenCode would, aborts
// the call when FILE appears, and prints what came of it as JSON.
import { existsSync } from "node:fs"
import { pathToFileURL } from "node:url"

const [file, args, abortAt] = process.argv.slice(2)
const tool = (await import(pathToFileURL(file))).default
const asked = []
const controller = new AbortController()
const context = {
  abort: controller.signal,
  ask: async (question) => {
    asked.push(question)
    if (process.env.REFUSE) throw new Error("the user said no")
  },
}
let timer
if (abortAt) timer = setInterval(() => existsSync(abortAt) && controller.abort(), 5)
let told
try {
  told = { result: await tool.execute(JSON.parse(args), context) }
} catch (error) {
  told = { error: error.message }
}
clearInterval(timer)
console.log(JSON.stringify({ ...told, asked, declared: { description: tool.description, args: tool.args } }))
