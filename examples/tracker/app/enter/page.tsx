import { type Metadata, redirect } from 'waymark'
import { readUser } from '../../session.ts'
import { EnterForm } from './enterForm.tsx'

export const metadata: Metadata = { title: 'Sign in' }

export default async function Enter() {
  if (await readUser()) redirect('/board')
  return (
    <div className="narrow">
      <h1>Sign in</h1>
      <p>The first account becomes the admin.</p>
      <EnterForm />
    </div>
  )
}
