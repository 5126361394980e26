import type { OfflineTexts } from '../shared/texts.ts'

export const fr: OfflineTexts = {
  page: {
    asOf: 'Version enregistrée : {time}. Pas de connexion.',
    title: 'Pas de connexion',
    heading: 'Vous êtes hors ligne',
    sentence: 'Cette page s’ouvrira dès que vous serez de nouveau en ligne.',
    savedPages: 'Vous pouvez toujours ouvrir ces pages :',
    savedAsOf: 'Version enregistrée : {time}',
  },
  outbox: {
    saved:
      'Vous êtes hors ligne. Votre saisie est enregistrée dans votre navigateur et sera envoyée dès que vous serez de nouveau en ligne.',
    savedMany:
      'Vous êtes hors ligne. {count} saisies sont enregistrées dans votre navigateur et seront envoyées dès que vous serez de nouveau en ligne.',
    savedRefused:
      'Le serveur n’a pas encore accepté votre saisie. Elle est enregistrée dans votre navigateur et sera envoyée de nouveau.',
    unsent: 'Impossible d’envoyer « {label} » : {message}',
    tooLargeToSave:
      'Votre saisie est trop volumineuse pour être conservée. Laissez la page ouverte jusqu’à la fin de l’envoi.',
    full: 'Trop de saisies sont déjà en attente : celle-ci ne peut pas être conservée. Laissez la page ouverte jusqu’à la fin de l’envoi.',
    noSpace:
      'Votre navigateur n’a plus d’espace libre : votre saisie ne peut pas être conservée. Laissez la page ouverte jusqu’à la fin de l’envoi.',
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
    current: 'Version actuellement enregistrée :',
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
