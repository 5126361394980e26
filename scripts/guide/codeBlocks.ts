/** A fenced code block on a page of the guide. */
export type CodeBlock = {
  /** The line of the fence on its page. */
  readonly line: number
  readonly language: string
  /** The file in the block, relative to the app's root, or `null` if the block names none. */
  readonly file: string | null
  readonly code: string
}

const fence = /^( *)```(\w*)([^\n]*)\n([\s\S]*?)^ *```/gm
const title = /\btitle="([^"]+)"/
/** Matches a first line that is a comment with only a path, like `site/mdx/code.ts`. */
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
 * Distributes the blocks of a page among apps. If a block has the same file as an earlier one, it
 * starts another app, which gets the other files of the previous app.
 * @returns for each app, its files by path
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

/** A call of the CLI, in a shell block or in the text. */
export type CommandCall = {
  readonly text: string
  readonly command: string
  /** Names of the options, without dashes. */
  readonly options: readonly string[]
}

/** Lists the calls of `waymark` on a page. */
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
