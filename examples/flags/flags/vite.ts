import { definePackage, type PackagePlugin } from 'waymark/plugin'
import type { Rules } from './rules.ts'
import type { english } from './texts.ts'

declare module 'waymark/plugin' {
  interface PackageTexts {
    flags: typeof english
  }
}

/** Options of `flags()`. */
export type FlagsOptions = {
  /** For each flag, the users who have it: `{ newCheckout: ['ada'] }`. */
  readonly rules: Rules
  /** Name of the cookie that contains the user's name. Default: `user`. */
  readonly cookie?: string
}

/**
 * Vite plugin that adds feature flags by user to an app.
 * @throws `TypeError` if a rule isn't a list of names
 */
export function flags({ rules, cookie = 'user' }: FlagsOptions): PackagePlugin {
  checkRules(rules)
  const client = new URL('./client.ts', import.meta.url)
  return definePackage('flags', () => ({
    server: { module: new URL('./server.ts', import.meta.url), name: 'serveFlags' },
    client: {
      onBoot: { module: client, name: 'onBoot' },
      onEvent: { module: client, name: 'onEvent' },
    },
    texts: { module: new URL('./texts.ts', import.meta.url), name: 'texts' },
    commands: {
      flags: {
        summary: 'Print the flags of a user',
        module: new URL('./commands.js', import.meta.url),
      },
    },
    options: { rules, cookie },
  }))
}

function checkRules(rules: Rules): void {
  for (const [flag, users] of Object.entries(rules)) {
    const isList = Array.isArray(users) && users.every((user) => typeof user === 'string')
    if (!isList) throw new TypeError(`flags(): the rule ${flag} must be a list of user names.`)
  }
}
