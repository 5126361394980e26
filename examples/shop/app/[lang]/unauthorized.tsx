import { screenTexts } from '../../dictionaries/screenTexts.ts'
import { Screen } from '../../ui/screen.tsx'

export default function Unauthorized() {
  return <Screen texts={screenTexts('unauthorized')} to="/login" />
}
