import integrity from 'virtual:waymark/integrity'
import { getClientEntryUrl } from '@vitejs/plugin-rsc/ssr.node'

/** The module that every document begins with, as React's renderer takes it. */
export function bootModule(): string | { readonly src: string; readonly integrity: string } {
  const src = getClientEntryUrl()
  const hash = integrity[src]
  return hash === undefined ? src : { src, integrity: hash }
}
