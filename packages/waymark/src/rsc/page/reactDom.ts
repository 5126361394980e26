import * as reactDom from 'react-dom'
import { guardedHint } from './guard.ts'

/**
 * The `react-dom` that server components of an app and its packages import. React would send a
 * resource hint as soon as it is called. Here, hints wait until the layouts around the caller have let
 * the request pass. Hints of a layout wait for that layout, too.
 */
const guardedReactDom = {
  preconnect: guardedHint(reactDom.preconnect),
  prefetchDNS: guardedHint(reactDom.prefetchDNS),
  preinit: guardedHint(reactDom.preinit),
  preinitModule: guardedHint(reactDom.preinitModule),
  preload: guardedHint(reactDom.preload),
  preloadModule: guardedHint(reactDom.preloadModule),
  version: reactDom.version,
}

export default guardedReactDom
export const { preconnect, prefetchDNS, preinit, preinitModule, preload, preloadModule, version } =
  guardedReactDom
