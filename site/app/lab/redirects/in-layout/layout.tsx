import { redirect } from 'waymark'

export default function InLayout(): never {
  redirect('/lab/redirects/arrived?from=in-layout')
}
