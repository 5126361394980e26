import type { CreateServerPart, Endpoint } from 'waymark/plugin'
import { requestFlags, type Settings, setSettings } from './requestFlags.ts'
import { flagsPath } from './rules.ts'

/** Creates the endpoint that sends a browser the flags of its user. */
export const serveFlags: CreateServerPart<Settings> = (_app, settings) => {
  setSettings(settings)
  const endpoint: Endpoint = {
    path: flagsPath,
    async handle({ method }) {
      if (method !== 'GET') return { status: 405, headers: [['allow', 'GET']], body: null }
      return {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: JSON.stringify(await requestFlags()),
      }
    },
  }
  return { endpoints: [endpoint] }
}
