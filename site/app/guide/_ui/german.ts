import { germanPages } from '../../_ui/germanPages.ts'
import type { Language } from '../../_ui/language.ts'
import type { MenuPage } from '../../_ui/menuGroup.tsx'
import type { GuidePage } from './pages.ts'

/** Headings and summaries of the guide's groups in German, by the English text. */
export const germanTexts: Readonly<Record<string, string>> = {
  'Your first app': 'Ihre erste App',
  'Build a guestbook, run it as on a server, and find your way around its files.':
    'Bauen Sie ein Gästebuch, starten Sie es wie auf einem Server, und finden Sie sich in seinen Dateien zurecht.',
  'Pages and navigation': 'Seiten und Navigation',
  'Turn files into URLs, share layouts between pages, and move between them.':
    'Machen Sie aus Dateien URLs, teilen Sie Layouts zwischen Seiten, und wechseln Sie von Seite zu Seite.',
  Data: 'Daten',
  'Read a database, stream slow parts, and choose when pages are rendered and how long data is cached.':
    'Lesen Sie eine Datenbank, senden Sie langsame Teile nach, und entscheiden Sie, wann Seiten gerendert werden und wie lange Daten im Cache bleiben.',
  'Actions and forms': 'Aktionen und Formulare',
  'Change data from forms, sign people in, and decide who may do what.':
    'Ändern Sie Daten mit Formularen, melden Sie Menschen an, und legen Sie fest, wer was darf.',
  Errors: 'Fehler',
  'Show the right screen with the right status, and find the cause of a failure.':
    'Zeigen Sie die richtige Ersatzseite mit dem richtigen Status, und finden Sie die Ursache eines Fehlers.',
  'Styles and metadata': 'Gestaltung und Metadaten',
  'Style your pages, show images and a dark theme, and set titles and link previews.':
    'Gestalten Sie Ihre Seiten, zeigen Sie Bilder und ein dunkles Farbschema, und setzen Sie Titel und Linkvorschauen.',
  'In production': 'Im Betrieb',
  'Configure, test and secure your app, deploy it, and watch it run.':
    'Konfigurieren, testen, sichern und veröffentlichen Sie Ihre App, und sehen Sie ihr im Betrieb zu.',
  Requests: 'Anfragen',
  'Live and offline': 'Live und offline',
  Recipes: 'Rezepte',
  'Development tools': 'Werkzeuge für die Entwicklung',
  'Where to run an app': 'Wo eine App läuft',
  Operations: 'Betrieb',
  'Extend Waymark': 'Waymark erweitern',
  'Other frameworks': 'Andere Frameworks',
}

/** Returns the heading or summary of a group in a language. */
export function groupText(text: string, language: Language): string {
  return language === 'de' ? (germanTexts[text] ?? text) : text
}

/** Returns a page of the guide for a menu. Pages that aren't translated keep their English title. */
export function menuPage({ href, title }: GuidePage, language: Language): MenuPage {
  if (language === 'en') return { href, title }
  const german = germanPages[href]
  return german === undefined ? { href, title, lang: 'en' } : { href, title: german }
}
