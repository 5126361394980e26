import { definePackage, type PackagePlugin } from 'waymark/plugin'

/** Values that entries of the journal may hold. Every value that no list names is left out. */
export type ReplayOptions = {
  /** Actions whose arguments are stored, from the app's root: `['app/actions.ts#addToCart']`. */
  readonly arguments?: readonly string[]
  /** Names in the query whose values are stored: `['page']`. */
  readonly query?: readonly string[]
  /** Params of routes whose values are stored, also where they look like tokens: `['slug']`. */
  readonly params?: readonly string[]
}

const listedPatterns = {
  arguments: { pattern: /^[^/].*#[\w$]+$/, form: "'app/actions.ts#addToCart'" },
  query: { pattern: /^[^=&?#]+$/, form: "'page'" },
  params: { pattern: /^[\w-]+$/, form: "'slug'" },
}

/**
 * The Vite plugin of `@waymark/replay`: stores the request of each error in the journal, without
 * secrets, and adds the command `waymark replay`, which sends the request again. Builds store requests;
 * the dev server does not.
 * @throws an `Error` for an unknown option, and for an entry of the wrong form
 */
export function replay(options: ReplayOptions = {}): PackagePlugin {
  checkLists(options)
  const { arguments: actions = [], query = [], params = [] } = options
  const commands = {
    replay: {
      summary: 'Send the request of an error again',
      module: new URL('./command/replayCommand.js', import.meta.url),
    },
  }
  return definePackage('@waymark/replay', ({ command }) =>
    command === 'serve'
      ? { commands }
      : {
          commands,
          server: {
            module: new URL('./server/storedRequest.js', import.meta.url),
            name: 'describeRequests',
          },
          options: { arguments: actions, query, params },
        },
  )
}

function checkLists(options: ReplayOptions) {
  for (const [name, list] of Object.entries(options)) {
    if (list === undefined) continue
    if (!Object.hasOwn(listedPatterns, name)) {
      throw new Error(
        `replay() has no option ${name}: write ${Object.keys(listedPatterns).join(', ')}.`,
      )
    }
    const { pattern, form } = listedPatterns[name as keyof ReplayOptions]
    const isValid =
      Array.isArray(list) && list.every((each) => typeof each === 'string' && pattern.test(each))
    if (!isValid) {
      throw new Error(
        `replay({ ${name} }) can't be ${JSON.stringify(list)}: write a list such as [${form}].`,
      )
    }
  }
}
