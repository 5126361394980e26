import { withBasePath } from '../shared/basePath.ts'
import { payloadUrl } from './protocol.ts'

/**
 * Builds the URLs of a page as browsers request them: with the base path, and a slash at the end where the
 * app's URLs have one.
 * @param path of the page within the app, with its query: `/blog?tag=a`
 */
export function pageUrls(path: string): { readonly document: string; readonly data: string } {
  const { pathname, search } = new URL(path, 'http://localhost')
  return {
    document: withBasePath(pathname) + search,
    data: withBasePath(payloadUrl(pathname, search)),
  }
}
