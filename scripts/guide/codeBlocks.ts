/** A fenced code block on a page of the guide. */
export type CodeBlock = {
  /** Line of the opening fence on the page. */
  readonly line: number
  readonly language: string
  /**
   * Path of the block's file, relative to the app's root, or `null` if the block specifies no file.
   */
  readonly file: string | null
  readonly code: string
}

const fence = /^( *)```(\w*)([^\n]*)\n([\s\S]*?)^ *```/gm
const title = /\btitle="([^"]+)"/
/** Matches a first line with a comment that contains only a path, such as `site/mdx/code.ts`. */
const pathComment = /^(?:\/\/|#|\/\*|<!--)\s*([\w@()[\]./-]*\.[\w.]+)\s*(?:\*\/|-->)?\n/

/** Reads the fenced code blocks of a page. */
export function readCodeBlocks(mdx: string): CodeBlock[] {
  return [...mdx.matchAll(fence)].map((match) => {
    const [, indent = '', language = '', meta = '', text = ''] = match
    const code = text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    return {
      line: mdx.slice(0, match.index).split('\n').length,
      language,
      file: title.exec(meta)?.[1] ?? pathComment.exec(code)?.[1] ?? null,
      code,
    }
  })
}

/**
 * Distributes a page's blocks among apps. A block with the same file as an earlier block starts a
 * new app, which also gets the other files of the previous app.
 * @returns the apps, each with its files by path
 */
export function layIntoApps(blocks: readonly CodeBlock[]): Map<string, string>[] {
  const apps: Map<string, string>[] = []
  let app = new Map<string, string>()
  for (const { file, code } of blocks) {
    if (file === null) continue
    if (app.has(file)) app = new Map(app)
    if (!apps.includes(app)) apps.push(app)
    app.set(file, code)
  }
  return apps
}

/** A `waymark` command in a shell block or in the text. */
export type CommandCall = {
  readonly text: string
  readonly command: string
  /** Names of the command's options, without dashes. */
  readonly options: readonly string[]
}

/** Lists the `waymark` commands on a page. */
export function listCommands(mdx: string): CommandCall[] {
  const inText = [...mdx.matchAll(/`((?:npx )?waymark [^`\n]+)`/g)].map(([, code = '']) => code)
  const inShell = readCodeBlocks(mdx)
    .filter(({ language }) => language === 'sh' || language === 'dockerfile')
    .flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'))
  return [...inShell, ...inText].flatMap((text) => {
    const [, command, rest = ''] = /(?:^|\s)waymark ([a-z]+)\b(.*)/.exec(text) ?? []
    if (command === undefined) return []
    const options = [...rest.matchAll(/(?<=\s)--([a-z-]+)/g)].map(([, name = '']) => name)
    return [{ text: text.trim(), command, options }]
  })
}
