import { entryAt } from '../../../../testing/src/drivers/journalDriverSuite.ts'
import { createFilesJournal } from '../files/fileJournalDriver.ts'

// Runs in a separate process. Writes entries into a journal's folder, prints a line, and waits to
// be killed.
const [folder = '', firstText = '0', countText = '0'] = process.argv.slice(2)
const driver = createFilesJournal({ folder })
const first = Number(firstText)
for (let at = first; at < first + Number(countText); at++) {
  driver.write(entryAt(at))
  // Pause now and then, so that several processes write at the same time.
  if (at % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
}
await driver.flush()
process.stdout.write('written\n')
setInterval(() => {}, 1_000)
