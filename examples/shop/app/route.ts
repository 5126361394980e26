import { redirect } from 'waymark'
import { preferredLanguage } from '../languages.ts'

/** Redirects `/` to the visitor's language. */
export function GET(request: Request): never {
  redirect(`/${preferredLanguage(request.headers.get('accept-language') ?? '')}`)
}
