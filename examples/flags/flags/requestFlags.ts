import { cookies } from 'waymark/server'
import { type Flags, flagsOf, type Rules } from './rules.ts'

/** The options of `flags()`. */
export type Settings = { readonly rules: Rules; readonly cookie: string }

let settings: Settings | null = null

/** Waymark calls the server part, and the server part this, before the first request. */
export function setSettings(given: Settings): void {
  settings = given
}

/** The flags of the user who sends the request. A page that awaits them is dynamic. */
export async function requestFlags(): Promise<Flags> {
  if (!settings) throw new Error('vite.config.ts does not list flags().')
  return flagsOf(settings.rules, (await cookies()).get(settings.cookie)?.value)
}
