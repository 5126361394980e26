import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

const theme = createCssVariablesTheme({ name: 'site', variablePrefix: '--' })

/** Languages whose name in fences differs from the highlighter's name. */
const aliases: Readonly<Record<string, string>> = {
  js: 'javascript',
  ts: 'typescript',
  mjs: 'javascript',
  sh: 'shellscript',
  bash: 'shellscript',
}

let highlighter: Promise<HighlighterCore> | undefined

/**
 * Highlights code as HTML, with a class for each kind of token: `<span class="keyword">`.
 * @param language name from the fence; an unknown language gives plain text
 */
export async function highlight(code: string, language: string): Promise<string> {
  highlighter ??= createHighlighter()
  const loadedLanguages = (await highlighter).getLoadedLanguages()
  const lang = aliases[language] ?? language
  if (!loadedLanguages.includes(lang)) return escapeText(code)
  const lines = (await highlighter).codeToTokensBase(code, { lang, theme: theme.name ?? 'site' })
  return lines
    .map((line) => line.map(({ content, color }) => tokenHtml(content, color)).join(''))
    .join('\n')
}

function createHighlighter(): Promise<HighlighterCore> {
  return createHighlighterCore({
    themes: [theme],
    langs: [
      import('shiki/langs/tsx.mjs'),
      import('shiki/langs/typescript.mjs'),
      import('shiki/langs/javascript.mjs'),
      import('shiki/langs/css.mjs'),
      import('shiki/langs/scss.mjs'),
      import('shiki/langs/json.mjs'),
      import('shiki/langs/html.mjs'),
      import('shiki/langs/mdx.mjs'),
      import('shiki/langs/shellscript.mjs'),
      import('shiki/langs/dotenv.mjs'),
      import('shiki/langs/http.mjs'),
      import('shiki/langs/docker.mjs'),
      import('shiki/langs/ini.mjs'),
      import('shiki/langs/nginx.mjs'),
    ],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
}

// Read the token's kind from the theme's colour, such as `var(--token-keyword)`. A piece without a token
// has the text colour.
function tokenHtml(content: string, color: string | undefined): string {
  const token = color?.match(/--token-([\w-]+)/)?.[1]
  const text = escapeText(content)
  return token ? `<span class="${token}">${text}</span>` : text
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
