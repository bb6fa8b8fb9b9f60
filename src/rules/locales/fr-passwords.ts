/** The French texts of the passwords layer: its refusals and its mails. */
export const passwordTexts = {
  'svc::auth.password_incorrect':
    'Votre mot de passe actuel est incorrect. Vérifiez-le et réessayez.',
  'svc::auth.password_link_invalid':
    'Ce lien a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
  'svc::auth.field.token.required': 'Ouvrez à nouveau le lien reçu par e-mail.',
  'svc::auth.field.current_password.required': 'Saisissez votre mot de passe actuel.',
  'svc::auth.field.password.short_one': 'Utilisez au moins {{count}} caractère.',
  'svc::auth.field.password.short_many':
    'Utilisez au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'svc::auth.field.password.short_other':
    'Utilisez au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'svc::auth.field.password.repeated':
    'Ce mot de passe répète les mêmes caractères. Choisissez-en un autre.',
  'svc::auth.field.password.personal':
    'N’utilisez ni votre adresse e-mail, ni votre nom, ni le nom du panneau. Choisissez un autre mot de passe.',
  'svc::auth.field.password.common': 'Ce mot de passe est très répandu. Choisissez-en un autre.',
  'svc::auth.field.password.refused':
    'Ce mot de passe ne peut pas être utilisé ici. Choisissez-en un autre.',

  'mail.reset.subject': 'Choisissez un nouveau mot de passe pour {{panel}}',
  'mail.reset.intro': 'Ce lien vous permet de choisir un nouveau mot de passe.',
  'mail.reset.button': 'Choisir un nouveau mot de passe',
  'mail.reset.lifetime_one':
    'Le lien fonctionne une seule fois, pendant {{count}} minute. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste le même.',
  'mail.reset.lifetime_many':
    'Le lien fonctionne une seule fois, pendant {{count}} minutes. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste le même.',
  'mail.reset.lifetime_other':
    'Le lien fonctionne une seule fois, pendant {{count}} minutes. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste le même.',
  'mail.invite.subject': 'Votre compte pour {{panel}}',
  'mail.invite.intro': 'Un compte vous attend. Choisissez votre mot de passe pour l’utiliser.',
  'mail.invite.button': 'Choisir votre mot de passe',
  'mail.invite.lifetime_one':
    'Le lien fonctionne une seule fois, pendant {{count}} jour. Si vous n’attendez pas de compte, ignorez cet e-mail.',
  'mail.invite.lifetime_many':
    'Le lien fonctionne une seule fois, pendant {{count}} jours. Si vous n’attendez pas de compte, ignorez cet e-mail.',
  'mail.invite.lifetime_other':
    'Le lien fonctionne une seule fois, pendant {{count}} jours. Si vous n’attendez pas de compte, ignorez cet e-mail.',
  'mail.changed.subject': 'Votre mot de passe pour {{panel}} a été modifié',
  'mail.changed.intro':
    'Votre mot de passe a été modifié. Si c’était vous, il n’y a rien à faire : vos autres sessions ont pris fin.',
  'mail.changed.button': 'Choisir un nouveau mot de passe',
  'mail.changed.undo':
    'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe avec ce lien, et prévenez les responsables de {{panel}}.',
} as const
