import type { OfflineTexts } from '../shared/texts.ts'

export const fr: OfflineTexts = {
  page: {
    asOf: 'Version enregistrée\u00A0: {time}. Pas de connexion.',
    title: 'Pas de connexion',
    heading: 'Vous êtes hors ligne',
    sentence: 'Cette page s’ouvrira dès que vous serez de nouveau en ligne.',
    savedPages: 'Vous pouvez toujours ouvrir ces pages\u00A0:',
    savedAsOf: 'Version enregistrée\u00A0: {time}',
  },
  outbox: {
    saved:
      'Vous êtes hors ligne. Votre saisie est enregistrée dans votre navigateur et sera envoyée dès que vous serez de nouveau en ligne.',
    savedMany:
      'Vous êtes hors ligne. {count} saisies sont enregistrées dans votre navigateur et seront envoyées dès que vous serez de nouveau en ligne.',
    savedRefused:
      'Le serveur n’a pas encore accepté votre saisie. Elle est enregistrée dans votre navigateur et sera envoyée de nouveau.',
    unsent: 'Impossible d’envoyer «\u00A0{label}\u00A0»\u00A0: {message}',
    tooLargeToSave:
      'Votre saisie est trop volumineuse pour être conservée. Laissez la page ouverte jusqu’à la fin de l’envoi.',
    full: 'Trop de saisies sont déjà en attente\u00A0: celle-ci ne peut pas être conservée. Laissez la page ouverte jusqu’à la fin de l’envoi.',
    noSpace:
      'Votre navigateur n’a plus d’espace libre\u00A0: votre saisie ne peut pas être conservée. Laissez la page ouverte jusqu’à la fin de l’envoi.',
    storageFailed: 'Le stockage de votre navigateur ne répond pas. Réessayez.',
    invalid: 'Vérifiez vos saisies.',
    signIn: 'Connectez-vous pour l’envoyer.',
    otherUser:
      'Une autre personne s’est connectée dans ce navigateur. Votre texte est conservé pour vous et ne sera pas envoyé en son nom.',
    reload: 'Recharger',
    refused: 'Vous n’avez pas l’autorisation d’effectuer cette opération.',
    failed: 'Une erreur s’est produite.',
    timeout:
      'L’opération a pris trop de temps et a été interrompue. Une partie a peut-être déjà été effectuée.',
    tooLarge: 'Votre envoi est trop volumineux.',
    updated: 'Ce site a été mis à jour. Modifiez votre saisie et envoyez-la de nouveau.',
    tooOld: 'Cette saisie est trop ancienne pour être envoyée automatiquement.',
    unanswered: 'Le site ne répond pas.',
    edited: 'Vous avez commencé à modifier cette saisie.',
    title: 'En attente d’envoi',
    waiting: 'En attente de connexion',
    sending: 'Envoi en cours…',
    current: 'Version actuellement enregistrée\u00A0:',
    withdraw: 'Supprimer',
    edit: 'Modifier',
    retry: 'Envoyer maintenant',
    ok: 'OK',
  },
  form: {
    restored: 'Tout ce que vous avez saisi est de nouveau là. Rien n’a encore été envoyé.',
    ok: 'OK',
  },
}
