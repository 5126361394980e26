import { cookies } from 'waymark/server'
import { type Flags, flagsOf, type Rules } from './rules.ts'

/** The options of `flags()`. */
export type Settings = { readonly rules: Rules; readonly cookie: string }

let settings: Settings | null = null

/** Sets the options. The server part calls this function once, before the first request. */
export function setSettings(next: Settings): void {
  settings = next
}

/** Returns the flags of the user who sent the request. A page that awaits the flags is dynamic. */
export async function requestFlags(): Promise<Flags> {
  if (!settings) throw new Error('vite.config.ts does not list flags().')
  return flagsOf(settings.rules, (await cookies()).get(settings.cookie)?.value)
}
