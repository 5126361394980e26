import { redirect } from 'waymark'

export default function Temporary(): never {
  redirect('/lab/redirects/arrived?from=temporary')
}
