/** Files of a page whose form calls an action that redirects to `/b`. */
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
