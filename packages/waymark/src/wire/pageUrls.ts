import { withBasePath } from '../shared/basePath.ts'
import { payloadUrl } from './protocol.ts'

/**
 * Builds the URLs at which browsers request a page and its data. They include the base path, and a
 * trailing slash if the app's URLs have one.
 *
 * @param path path of the page within the app, including its query: `/blog?tag=a`
 */
export function pageUrls(path: string): { readonly document: string; readonly data: string } {
  const { pathname, search } = new URL(path, 'http://localhost')
  return {
    document: withBasePath(pathname) + search,
    data: withBasePath(payloadUrl(pathname, search)),
  }
}
