import type { Words } from './placeholders.ts';

/** A message of the team, and the answer of the visitor. */
export type Exchange = readonly [admin: string, visitor: string];

export interface Topic {
  readonly subjects: readonly string[];
  readonly openings: readonly string[];
  /** In this order, after the opening. */
  readonly exchanges: readonly Exchange[];
  /** Replies that settle it. */
  readonly answers: readonly string[];
}

/** The words for the placeholders. */
export const conversationWords: Words = {
  product: ['desk lamp', 'rain jacket', 'water bottle', 'tea set', 'bike light', 'backpack', 'wool blanket'],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  city: ['Dublin', 'Zürich', 'Oslo', 'Porto', 'Graz', 'Gdańsk', 'Aarhus', 'Lyon'],
  colour: ['green', 'dark blue', 'grey', 'red', 'black'],
  amount: ['12.90', '24.00', '49.95', '87.50', '129.00', '310.00'],
  pieces: ['40', '60', '120', '250', '400'],
  month: ['January', 'March', 'April', 'June', 'September', 'November'],
  browser: ['Safari', 'Chrome', 'Firefox', 'Edge'],
  days: ['two', 'three', 'four', 'five'],
};

export const topics: readonly Topic[] = [
  {
    subjects: ['Where is my parcel?', 'Order {order}', 'Parcel has not arrived', ''],
    openings: [
      'Hello, I ordered a {product} {days} weeks ago and it is not here yet. The order is {order}.',
      'Hi, can you tell me where order {order} is? It should have come on {day}.',
      'The tracking of {order} has said "on its way" since {day}. Is it lost?',
    ],
    exchanges: [
      [
        'Hello {visitor}, I am {agent}. Did you get a mail from the carrier?',
        'No, nothing. I looked in the spam folder too.',
      ],
      ['Is the address in {city} still the right one?', 'Yes, third floor, the bell says {visitor}.'],
      [
        'I have asked the carrier, who answers by {day}. Can you wait until then?',
        'If it must be. I need it by the weekend.',
      ],
    ],
    answers: [
      'It was held in {city}. It is on the van now and comes on {day}.',
      'It is lost, I am sorry. A new {product} left us today, with express.',
    ],
  },
  {
    subjects: ['Return of a {product}', 'Refund', 'Sending back {order}'],
    openings: [
      'I would like to send the {product} back, it is too small. How do I do that?',
      'The {product} arrived with a scratch. What now? Order {order}.',
      'I sent a {product} back {days} weeks ago. When do I get my {amount}?',
    ],
    exchanges: [
      [
        'I am sorry to hear that. Could you send a photo of it?',
        'Of course, it is attached to the mail that I have just sent.',
      ],
      [
        'Thank you. Would you rather have another one, or your money?',
        'The money, please. I have bought one in {city} by now.',
      ],
      ['Do you still have the box that it came in?', 'Yes, and everything else that was in it.'],
    ],
    answers: [
      'The label is in your mail. The {amount} are with you {days} days after the parcel is with us.',
      'I have sent {amount} back to your card. It takes {days} days to be seen there.',
    ],
  },
  {
    subjects: ['Invoice for {month}', 'Invoice of {order}', 'VAT number'],
    openings: [
      'Could you send me the invoice for {month} again?',
      'We need our VAT number on the invoice of {order}. Can it be added?',
      'The invoice of {order} has my private address. It should be that of the company.',
    ],
    exchanges: [
      ['Gladly. To which address shall it go?', 'To this one, please, and in copy to our accounts.'],
      ['Under which name was the order made?', '{visitor}, on a {day} in {month}.'],
      ['Is the amount of {amount} the one that you have?', 'Yes, that is it.'],
    ],
    answers: [
      'The new invoice is in your inbox.',
      'Done. You also find it under "Account", then "Invoices".',
    ],
  },
  {
    subjects: ['Cannot sign in', 'Password', 'My account', ''],
    openings: [
      'I forgot my password and the mail to set a new one does not come.',
      'It says my account is locked. I did nothing!',
      'I have two accounts by mistake. Can you make one of them?',
    ],
    exchanges: [
      ['Which address do you sign in with?', 'The one that I write from.'],
      ['I have sent you a new link. Do you see it?', 'It is here, but {browser} says it has expired.'],
      [
        'Please copy the whole link into {browser}, its end is cut off in some mail programs.',
        'Ah, now I see a form.',
      ],
    ],
    answers: [
      'Everything is set: sign in with the new password.',
      'Both accounts are one now, with all orders in it.',
    ],
  },
  {
    subjects: ['Question about the {product}', 'Is the {product} back soon?', '{product} in {colour}'],
    openings: [
      'Hello! Will the {product} in {colour} be back?',
      'What is the {product} made of? My daughter cannot wear wool.',
      'Does the {product} also come in {colour}?',
    ],
    exchanges: [
      ['Good question. Which size do you need?', 'Medium, or whatever comes closest.'],
      ['There are some in {city}. Would that be an option?', 'That is too far for me. Can they send it?'],
      ['They can, for {amount}. Shall I put one aside?', 'Yes please, until {day}.'],
    ],
    answers: [
      'It is back on {day}. I have put your name on the list.',
      'It comes in {colour} from {month} on. We will write to you.',
    ],
  },
  {
    subjects: ['Bulk order', '{pieces} pieces', 'Offer for our company'],
    openings: [
      'We need {pieces} pieces of the {product} for a fair in {city}. Is there a discount?',
      'Hello, do you print logos on the {product}? It would be for {pieces} people.',
    ],
    exchanges: [
      ['Hello {visitor}, gladly. When do you need them?', 'By the first week of {month}.'],
      [
        'From {pieces} pieces on we can take ten per cent off. Does that help?',
        'It does. Is delivery to {city} included?',
      ],
      ['It is. Shall I send a written offer?', 'Yes please, valid for {days} weeks if possible.'],
    ],
    answers: [
      'The offer is in your inbox, valid until the end of {month}.',
      'All is booked: they leave us on {day}.',
    ],
  },
  {
    subjects: ['Something is broken on your site', 'Error in the basket', 'Typo on the front page'],
    openings: [
      'Your basket forgets the {product} whenever I close {browser}.',
      'The page of the {product} is white in {browser}.',
      'It says "recieve" in the second paragraph of the front page.',
    ],
    exchanges: [
      [
        'Thank you for telling us. Which version of {browser} is it?',
        'The newest one. My colleague has the same.',
      ],
      ['Does it help to reload the page?', 'For a minute, then it is back.'],
      ['Could you try it in a private window?', 'There it works!'],
    ],
    answers: [
      'It is fixed. Please reload the page once.',
      'Well spotted. It is put right, and you have a voucher.',
    ],
  },
];

/** The exchanges of long conversations. */
export const furtherExchanges: readonly Exchange[] = [
  ['Is there anything else that I can do?', 'Yes: could you also send the {product} to my mother in {city}?'],
  ['That works. Which name shall be on the parcel?', '{visitor}, please, and a card without a price.'],
  ['Noted. Do you want it wrapped?', 'In {colour} paper, if you have it.'],
  ['We do. It makes {amount} in all.', 'Fine. Can I pay by invoice?'],
  ['From the second order on, so yes.', 'Good. How long does it take?'],
  ['Some {days} days, and never on a Sunday.', 'Then {day} would be perfect.'],
  ['I put {day} into the order. The mail is on its way.', 'It has arrived, thank you. One more question.'],
  ['Ask away.', 'Do the {product} and the one from {month} go together?'],
  ['They do, it is the same series.', 'And in {colour}?'],
  ['In {colour} only from {month} on.', 'Then I take the other one. Is it in stock?'],
  ['The last ones are in {city}. Shall I reserve one?', 'Please do, until {day}.'],
  ['Reserved under {order}.', 'Something is odd: the page shows {amount} for it.'],
  ['That is the price without the discount. You see it in the last step.', 'I see it now, yes.'],
  ['Did the payment go through?', 'It says "pending" since {day}.'],
  ['The bank needs a day for that. I keep an eye on it.', 'And what if it fails?'],
  ['Then we write to you, and nothing is lost.', 'Alright. Is {agent} still on this?'],
  ['Yes, I still am. What is new?', 'The {product} came, but the {colour} one is missing.'],
  ['It left in a second parcel, {days} days later.', 'Found it, the neighbour had it.'],
];

export const thanks = [
  'Thank you, {agent}!',
  'Perfect, that was quick. Thanks!',
  'Great, it works. Thank you very much.',
  'Many thanks and greetings from {city}.',
] as const;

export const closings = [
  'You are welcome, {visitor}. Have a good {day}!',
  'Gladly. Write whenever there is something.',
  'Happy to help. Best, {agent}',
] as const;

export const nudges = [
  'Is anybody there?',
  'Any news on this?',
  'One more thing: it is order {order}.',
  'Please answer soon, it is urgent.',
] as const;
