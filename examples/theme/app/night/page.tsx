import { ThemeNow } from '../themeNow.tsx'

/** The whole page is dark while it is shown; the preference stays as it is. */
export const theme = 'dark'

export default function Night() {
  return (
    <main>
      <h1>Night</h1>
      <ThemeNow />
    </main>
  )
}
