'use client'

import { useFlag } from '../../flags/components.tsx'

export function Checkout() {
  return <p>The browser shows the {useFlag('newCheckout') ? 'new' : 'old'} checkout.</p>
}
