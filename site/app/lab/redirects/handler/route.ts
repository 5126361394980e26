import { redirect } from 'waymark'

export function GET(): never {
  redirect('/lab/redirects/arrived?from=handler', { status: 303 })
}
