import { permanentRedirect } from 'waymark'

export default function Permanent(): never {
  permanentRedirect('/lab/redirects/arrived?from=permanent')
}
