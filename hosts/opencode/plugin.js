// The automatic hint for OpenCode 1.15 and newer: put this file into
// .opencode/plugin of a project, or into ~/.config/opencode/plugin, beside the tool
// gemini_web_search or the MCP server gemini.
//
// It tells the model when to search, and changes no message and no answer. With
// OPENCODE_GEMINI_SEARCH_DEBUG=1 it logs the words of a message that ask for news.

const toolName = "gemini_web_search"

const note = `Use ${toolName} before you answer when the answer may have changed since your training: current events, latest versions and releases, prices and rates, weather, schedules, results, who holds an office. Words that mean it: latest, newest, current, recent, today, now, this week; 최신, 최근, 현재, 지금, 오늘; 最新, 最近, 現在, 今日; 最新, 最近, 现在, 今天.
Keep the [Source](url) citations of its result, byte for byte, and add no URL of your own. A result that begins with "error:" is no answer.`

const schema = {
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      description:
        "What to search for, as a full question in the user's language. Put dates, versions and names into it; the search sees nothing else of the conversation.",
    },
  },
  required: ["query"],
  additionalProperties: false,
}

// Letters of these scripts have no word boundaries, so their words are found anywhere.
const english = /\b(latest|newest|current(?:ly)?|recent(?:ly)?|today|tonight|yesterday|tomorrow|right now|now|this (?:week|month|year)|breaking|news|price|prices|weather|forecast|version|release|released)\b/giu
const others = /최신|최근|현재|지금|오늘|어제|내일|뉴스|시세|가격|날씨|버전|最新|最近|現在|现在|今日|今天|昨日|昨天|明日|明天|ニュース|新闻|価格|价格|天気|天气|バージョン|版本/gu

function recencyWords(text) {
  const found = [...(text.match(english) ?? []), ...(text.match(others) ?? [])]
  return [...new Set(found.map((word) => word.toLowerCase()))]
}

export const GeminiSearchHint = async ({ client } = {}) => ({
  "experimental.chat.system.transform": async (_input, output) => {
    output.system.push(note)
  },

  "tool.definition": async (input, output) => {
    if (input.toolID !== toolName) return
    // One schema for the tool file and for the MCP server, and one that says no
    // to arguments that the search would refuse.
    output.jsonSchema = schema
  },

  "chat.message": async (_input, output) => {
    if (process.env.OPENCODE_GEMINI_SEARCH_DEBUG !== "1") return
    const text = output.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n")
    const words = recencyWords(text)
    if (words.length === 0) return
    const message = `recency words: ${words.join(", ")}`
    // A plain write would go across the screen of the terminal interface.
    await client?.app?.log({ body: { service: "gemini-search", level: "info", message } })?.catch?.(() => {})
  },
})
