import { requestFlags } from '../../flags/requestFlags.ts'
import { signOut } from '../actions.ts'
import { Checkout } from './checkout.tsx'

export const metadata = { title: 'Shop' }

export default async function Shop() {
  const { newCheckout } = await requestFlags()
  return (
    <main>
      <h1>Shop</h1>
      <p>The server shows the {newCheckout ? 'new' : 'old'} checkout.</p>
      <Checkout />
      <form action={signOut}>
        <button type="submit">Sign out</button>
      </form>
    </main>
  )
}
