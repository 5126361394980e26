import { headers } from 'waymark/server'

export default async function Page() {
  await headers()
  throw new Error('Broken on purpose')
}
