import type { CorsOptions } from 'vite'

/**
 * Opens the dev server to other origins only where the app asks for it: by itself, Vite lets every
 * page on localhost read the sources. Lets requests with OPTIONS go on to the app: Vite's CORS middleware would answer each of them
 * itself, also those that are no preflight.
 * @param given `server.cors` of the app's Vite configuration
 */
export function corsOptions(given: CorsOptions | boolean | undefined): CorsOptions | false {
  if (given === undefined || given === false) return false
  if (given === true) return { preflightContinue: true }
  return { preflightContinue: true, ...given }
}
