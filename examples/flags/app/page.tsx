import { Link } from 'waymark'
import { signIn } from './actions.ts'

export const metadata = { title: 'Feature flags' }

export default function Home() {
  return (
    <main>
      <h1>Feature flags</h1>
      <form action={signIn}>
        <label>
          Name <input name="user" required maxLength={100} autoComplete="username" />
        </label>
        <button type="submit">Sign in</button>
      </form>
      <p>
        Ada and Grace see the new checkout in the <Link href="/shop">shop</Link>.
      </p>
    </main>
  )
}
