/** The text the demo summarises when it is given none. */
export const SAMPLE_TEXT = `\
Twice a day, on most coasts of the world, the sea comes up the beach and goes away again. The tide is the slow answer of \
the oceans to the pull of the Moon and, to a smaller degree, of the Sun. The Moon pulls harder on the water that faces it \
than on the solid Earth beneath, and harder on the Earth than on the water of the far side. So the oceans bulge in two \
places at once, and the turning Earth carries every coast through both bulges.

A tidal day is not a calendar day. While the Earth turns once, the Moon moves on along its orbit, and the Earth needs about \
fifty minutes more to catch up with it. High water therefore comes later every day, by roughly fifty minutes. Sailors knew \
this rule long before anyone could explain it.

The Sun is far heavier than the Moon but also much farther away. Its share in the tide is a little less than half of the \
Moon's. At new moon and at full moon the three bodies stand in line, the two pulls add up, and the range between high and low \
water grows: these are spring tides. At the half moons the pulls work across each other, and the weaker neap tides follow. \
Spring has nothing to do with the season here; the word means a leaping up.

If the Earth were covered by one deep ocean, the tide would be well under a metre high. Real tides are shaped by coasts and \
by depth. Water set in motion sloshes in an ocean basin as it does in a bathtub, and each basin has periods of its own. Where \
such a period lies near half a day, the tide is amplified by resonance. The Bay of Fundy in Canada is the famous case: its \
water rises and falls by as much as sixteen metres. The Mediterranean, almost closed off and of the wrong size, hardly has a \
tide at all.

Predicting tides was one of the first great tasks of applied mathematics. In the 1870s William Thomson, later Lord Kelvin, \
built a machine of wheels and pulleys that added up a tide from its separate periods. Each wheel stood for one motion of the \
Moon or the Sun, and a pen drew the water level of a harbour for a year to come in a few hours. Such machines stayed in use \
for almost a century, until electronic computers replaced them. The method did not change: measure the harbour, find the \
strength of each period, and add them up for the date you want.

Tides also change the bodies that make them. The bulges are dragged along by the turning Earth, and friction on the sea floor \
slows that turning by about two milliseconds in a century. What the Earth loses the Moon gains, and it drifts away from us by \
nearly four centimetres a year. Corals from the Devonian age keep a record of it in their growth lines: they count about four \
hundred days to a year. The days were shorter then, and the sea came up the beach more often.
`;
