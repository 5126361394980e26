import { ThemeScope } from 'waymark'
import { ThemeNow } from './themeNow.tsx'

export default function Home() {
  return (
    <main>
      <h1>Your preference</h1>
      <ThemeNow />
      <ThemeScope theme="dark" className="stage">
        <h2>Always dark</h2>
        <ThemeNow />
      </ThemeScope>
    </main>
  )
}
