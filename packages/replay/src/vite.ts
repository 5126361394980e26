import { definePackage, type PackagePlugin } from 'waymark/plugin'

/** Lists of values that journal entries may contain. All other values are left out. */
export type ReplayOptions = {
  /** Actions whose arguments are stored, relative to the app's root: `['app/actions.ts#addToCart']`. */
  readonly arguments?: readonly string[]
  /** Query parameters whose values are stored: `['page']`. */
  readonly query?: readonly string[]
  /** Route params whose values are stored, even if they look like tokens: `['slug']`. */
  readonly params?: readonly string[]
}

const listedPatterns = {
  arguments: { pattern: /^[^/].*#[\w$]+$/, form: "'app/actions.ts#addToCart'" },
  query: { pattern: /^[^=&?#]+$/, form: "'page'" },
  params: { pattern: /^[\w-]+$/, form: "'slug'" },
}

/**
 * Vite plugin of `@waymark/replay`. It stores the request of each error in the journal, without secrets, and
 * adds the command `waymark replay`, which sends the request again. Requests are stored in builds, but
 * not by the dev server.
 * @throws an `Error` for an unknown option, or for a list with an invalid entry
 */
export function replay(options: ReplayOptions = {}): PackagePlugin {
  checkLists(options)
  const { arguments: actions = [], query = [], params = [] } = options
  const commands = {
    replay: {
      summary: 'Send the request that caused an error again',
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
        `replay() has no option ${name}. Its options are ${Object.keys(listedPatterns).join(', ')}.`,
      )
    }
    const { pattern, form } = listedPatterns[name as keyof ReplayOptions]
    const isValid =
      Array.isArray(list) && list.every((each) => typeof each === 'string' && pattern.test(each))
    if (!isValid) {
      throw new Error(
        `replay({ ${name} }) can't be ${JSON.stringify(list)}. Write a list such as [${form}].`,
      )
    }
  }
}
