/** A page whose form leads to `/b`, by an action that redirects. */
export const leapPage = {
  'app/leap/page.tsx': `import { redirect } from 'waymark'

async function leap() {
  'use server'
  redirect('/b')
}

export default function Leap() {
  return (
    <form action={leap}>
      <h1>Leap</h1>
      <button type="submit">Jump</button>
    </form>
  )
}
`,
}
