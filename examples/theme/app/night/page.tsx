import { ThemeNow } from '../themeNow.tsx'

/** Makes the page dark while it is open, without changing the visitor's preference. */
export const theme = 'dark'

export default function Night() {
  return (
    <main>
      <h1>Night</h1>
      <ThemeNow />
    </main>
  )
}
